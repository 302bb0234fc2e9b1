"""The meter towards its tables: the MQTT front, alarms, background audits, shutdown."""
