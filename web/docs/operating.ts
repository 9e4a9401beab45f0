export const PRODUCTION = `export DATABASE_URL=postgres://engagement:…@db.internal:5432/engagement
export BASE_URL=https://points.example.com
export AUTH_SECRET=$(openssl rand -base64 33)   # once: keep it
export TRUST_PROXY=true                         # behind a proxy that sets X-Forwarded-For
export DEMO=off OPERATIONS_PORT=9464
npm start`;

export const WORKER = `WORKER=off npm start                  # the API and the dashboard
OPERATIONS_PORT=9465 npm run worker   # as many as you want; those on one machine need different ports`;

export const HEALTH = "curl http://127.0.0.1:9464/ready";

/** The pages of the second port. */
export const PROBES = [
  ["`/live`", "200 while the process runs", "restarting it when it hangs"],
  [
    "`/ready`",
    "200 while it serves and can write to its database, otherwise 503; a warning is on a line of its own",
    "sending it requests",
  ],
  ["`/metrics`", "200", "Prometheus"],
] as const;

/** Names and meanings; a test compares the names with those that a process reports. */
export const METRICS: readonly [name: string, meaning: string][] = [
  ["engagement_ready", "1 while requests are served, otherwise 0. Alert on 0."],
  ["engagement_build_info", "1, with the versions of the service and of Node.js."],
  ["engagement_warnings", "Problems to fix while requests are still served; /ready names them."],
  ["engagement_http_requests_total", "Requests answered, by class of status (2xx, 4xx, 5xx); none: the caller went away first."],
  ["engagement_http_requests_in_flight", "Requests being answered."],
  ["engagement_request_duration_seconds", "Time to answer the public API, by route and status code."],
  ["engagement_queue_facts", "Accepted events that are not applied yet."],
  ["engagement_queue_lanes", "The number of lanes that workers share them by (engagement scale lanes)."],
  ["engagement_queue_oldest_fact_age_seconds", "How long the oldest of them has waited."],
  ["engagement_quarantined_facts", "Events in quarantine."],
  ["engagement_facts_applied_total", "Events applied by this process, by kind."],
  ["engagement_facts_quarantined_total", "Events that this process has put in quarantine."],
  ["engagement_slice_duration_seconds", "Time to apply a slice of the queue."],
  ["engagement_slice_facts", "Events in a slice."],
  ["engagement_webhook_due", "Deliveries that are due."],
  ["engagement_webhook_oldest_due_age_seconds", "How long the oldest of them has been due."],
  ["engagement_webhook_attempts_total", "Attempts to deliver, by outcome."],
  ["engagement_webhook_attempt_duration_seconds", "Time of an attempt."],
  ["engagement_job_last_run_timestamp_seconds", "When this process last looked for work of a kind."],
  ["engagement_pool_connections", "Connections to the database that a pool may lend."],
  ["engagement_pool_in_use", "Connections lent."],
  ["engagement_pool_waiting", "Queries and transactions that wait for a connection."],
  ["engagement_pool_refused_total", "Those for which none became free in time."],
  ["engagement_database_size_bytes", "The size of the database."],
  ["engagement_event_loop_stalls_total", "Times that requests waited for this process's own work."],
  ["engagement_event_loop_stall_seconds_total", "How long they waited together."],
  ["engagement_event_loop_longest_stall_seconds", "The longest wait since the last scrape."],
  ["engagement_worker_thread_busy_ratio", "The share of time that a thread of the worker was busy since the last scrape, by thread."],
  ["engagement_worker_thread_longest_stall_seconds", "The longest time that its event loop stood still since the last scrape."],
  ["engagement_worker_thread_restarts_total", "Times that a thread of the worker failed and was started again."],
  ["process_uptime_seconds", "Time since this process started."],
];
