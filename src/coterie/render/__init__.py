"""Drawing in software: shapes as SVG and pixels, solids as pixels, films. No display, no OpenGL, no graphics card."""
