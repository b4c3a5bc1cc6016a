"""How pictures are drawn. The modules here load matplotlib or Pillow, so a tool imports them when it runs."""
