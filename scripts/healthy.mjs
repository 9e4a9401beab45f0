// The health check of the image: exits 0 while /ready answers 200, otherwise 1.
const port = (process.env.OPERATIONS_PORT ?? "9464").split(":").at(-1);
const isReady = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(2_500) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isReady ? 0 : 1;
