"""What goes out as files: rows are read into `sheets.portable`, and that is written down."""
