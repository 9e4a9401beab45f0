// Loaded before a process that the bench starts: when the bench is gone, however it went, the process stops too.
process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), 12_000).unref();
});
process.channel?.unref();
