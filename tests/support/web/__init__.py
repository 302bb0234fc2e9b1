"""What tests of pages need: browsers, pages, clients."""
