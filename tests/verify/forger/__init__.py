"""A forger against the judge: it makes files of all that honest seats have ever signed.

histories     honest tables of every game, with everything that was signed at them
pieces        what a forger may take: everything signed, and everything that is not
forgery       a file under the forger's hands, and what forgeries are written down as
strangers     what somebody without any key can do to a file
dishonest     what a seat can do besides, which signs whatever it likes
tricks        forgeries of several steps that have a purpose, each a way to blame somebody
oracle        what must be so of every forgery, whatever the judge says, by code of its own
predictions   the class that refuses each kind of forgery, where the pages say so
"""
