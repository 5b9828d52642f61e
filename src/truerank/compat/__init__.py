"""Drop-in stand-ins for other tools: their names and forms, on the engine here."""
