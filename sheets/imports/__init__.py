"""What comes in as a file: read, checked and looked up, so that an action can store it."""
