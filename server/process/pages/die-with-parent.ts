// Loaded before the build of the pages, which leads its own process group: when its parent is gone, even by kill -9, the whole group ends.
// Otherwise the next start would build into the same folder beside it.
process.execArgv = process.execArgv.filter((option) => !option.includes("die-with-parent"));
process.once("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.channel?.unref();
