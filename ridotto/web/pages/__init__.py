"""The pages as HTML, each from plain data for one reader."""
