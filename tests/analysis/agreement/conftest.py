from hypothesis import settings

# A shared machine may take its time over one example; that is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
