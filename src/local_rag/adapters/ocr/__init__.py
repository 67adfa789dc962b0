"""Reads text from pictures of pages, on this machine: find it, turn it upright, recognise, space.

``reading.read_picture`` is the door. The networks are those that the wheel of RapidOCR carries;
its code is not run, because it can download models, prints, and gives words without their edges.
"""
