-- Uncompressed, the size of a large payload is known without reading it: slices are bounded by it. Applies to facts that are queued from now on; only values over 2 kB were compressed.
ALTER TABLE "queued_facts" ALTER COLUMN "payload" SET STORAGE EXTERNAL;
