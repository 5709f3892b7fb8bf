"""Which interpreter runs the program, and the native core for it.

All of this runs in wrongcall's own process, before a recording begins. Nothing is installed into the program's
environment: the recorder is passed to its interpreter by path.

``choose``          which interpreter: the user's choice, the active environment, the project's, wrongcall's own
``probe``           asks an interpreter what it is
``supported``       whether it can be recorded
``native_sources``  what the native extensions are made of (setup.py reads this, too)
``native_build``    the native core for an interpreter: installed, cached or built
``cache``           the cache folder: what was made once and can be made again
``prepare``         all these steps in order
"""
