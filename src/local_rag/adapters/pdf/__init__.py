"""How a PDF becomes pages of text: glyphs → lines → reading order → paragraphs and headings."""
