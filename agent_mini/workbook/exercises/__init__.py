"""The exercises, one file a notebook: ``nb02`` holds those of notebook 02. A file is loaded when it is asked for."""
