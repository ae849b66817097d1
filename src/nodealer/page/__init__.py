"""The page's server: what a player's browser is given on this machine, and who may ask for it.

It serves the files of the page, gives whoever shows the token a cookie, and opens one channel to
each page that shows the cookie. Over the channel the page talks with the talk that it was given;
what is said there is no business of this package.

    page_access      the port, the token and the name of the cookie, remembered
    site_files       the files of the page, a fixed table
    page_service     each request and its answer; the channel and its talk
    page_host        a port of this machine that serves the page until it is stopped
    page_opening     a browser that is sent there

The files lie in the folder `site`. The page is `specs/13-page.md`.
"""

from nodealer.page.page_host import PageAt, served_page
from nodealer.page.page_opening import has_screen, open_page
from nodealer.page.page_service import OpenVisit, PageVisit
from nodealer.page.site_files import SiteFile, site_files

__all__ = [
    "OpenVisit",
    "PageAt",
    "PageVisit",
    "SiteFile",
    "has_screen",
    "open_page",
    "served_page",
    "site_files",
]
