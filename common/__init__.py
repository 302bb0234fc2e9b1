"""What every process of the house shares: time, settings files, logs, supervision."""
