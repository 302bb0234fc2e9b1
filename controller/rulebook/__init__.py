"""The rule book beside what was made of it: which code keeps a row, and which tests prove it."""
