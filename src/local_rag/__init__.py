"""Ask questions of your own documents on your own machine, and see the proof."""

__version__ = "0.1.0"
