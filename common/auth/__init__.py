"""The staff of a daemon: who may come in with which PIN, and what stands between a browser and its pages."""
