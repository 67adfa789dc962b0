"""How good the program is: cases, metrics, runs, reports."""
