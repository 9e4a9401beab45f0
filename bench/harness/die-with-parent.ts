// Preloaded by processes that the bench starts: they stop when the bench is gone, however it ended.
process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), 12_000).unref();
});
process.channel?.unref();
