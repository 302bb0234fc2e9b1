"""Property tests of the rules judge answers, not the speed of the machine that they share."""

from hypothesis import HealthCheck, settings

settings.register_profile("rules", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rules")
