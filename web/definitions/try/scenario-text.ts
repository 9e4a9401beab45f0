import { stringify } from "yaml";

/** A scenario that the service made of a trial (JSON text), as a file for `engagement definitions test`. */
export const scenarioText = (scenario: string): string =>
  `# Saved from Try it: a new player with the attributes and points of the one that was tried.\n# Run: engagement definitions test definitions/\n${stringify(JSON.parse(scenario), { lineWidth: 0 })}`;
