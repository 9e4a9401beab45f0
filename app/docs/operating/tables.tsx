/** The pages of the second port. */
export const Probes = () => (
  <table>
    <thead>
      <tr>
        <th scope="col">Address</th>
        <th scope="col">Answers</th>
        <th scope="col">For</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <td>
          <code>/live</code>
        </td>
        <td>200 while the process runs</td>
        <td>restarting it when it hangs</td>
      </tr>
      <tr>
        <td>
          <code>/ready</code>
        </td>
        <td>200 while it serves and reaches its database, otherwise 503; a warning stands in a line of its own</td>
        <td>sending it requests</td>
      </tr>
      <tr>
        <td>
          <code>/metrics</code>
        </td>
        <td>200</td>
        <td>Prometheus</td>
      </tr>
    </tbody>
  </table>
);

/** Names and meanings; a test holds the names against what a process really reports. */
export const METRICS: readonly [name: string, meaning: string][] = [
  ["engagement_ready", "1 while requests are served, otherwise 0. Alert on 0."],
  ["engagement_warnings", "What should be put right although requests are served; /ready says what."],
  ["engagement_http_requests_total", "Requests answered, by class of status (2xx, 4xx, 5xx); none: the caller went away first."],
  ["engagement_http_requests_in_flight", "Requests being answered."],
  ["engagement_event_loop_stalls_total", "Times that requests waited for this process's own work."],
  ["engagement_event_loop_stall_seconds_total", "How long they waited together."],
  ["engagement_event_loop_longest_stall_seconds", "The longest wait since this was last asked."],
  ["process_uptime_seconds", "Time since this process started."],
];

export const Metrics = () => (
  <table>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      {METRICS.map(([name, meaning]) => (
        <tr key={name}>
          <td>
            <code>{name}</code>
          </td>
          <td>{meaning}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
