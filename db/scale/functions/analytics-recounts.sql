-- A volatile function takes a new snapshot. The calling statement's is older than the log that it read on the other machines: an event that was
-- accepted in between would be counted with the history, and again when it is applied.
alter function unapplied_of(integer, smallint[], uuid[]) volatile;
