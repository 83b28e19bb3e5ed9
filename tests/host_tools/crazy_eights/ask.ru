title=TITLE
say.preset.NAME=обычный
