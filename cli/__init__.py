"""The commands of the pitlink command line, one file each."""
