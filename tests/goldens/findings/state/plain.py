# no short form
