// Loaded before the build of the pages, which leads a group of its own: when the process that started it is gone, also by kill -9, all of
// the group ends. The next start would otherwise build beside it, into the same folder.
process.execArgv = process.execArgv.filter((option) => !option.includes("die-with-parent"));
process.once("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.channel?.unref();
