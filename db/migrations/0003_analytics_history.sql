-- The attempts of webhooks from before they were counted (server/webhooks/store.ts counts the later ones). 33 buckets of latency, by the
-- bounds of `webhook_latency` in db/functions.sql, which does not exist yet.
INSERT INTO analytics_webhooks (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
SELECT s.environment_id, s.endpoint_id, s.quarter, count(*), count(*) FILTER (WHERE s.is_delivered), count(*) FILTER (WHERE s.number > 1),
  array(SELECT count(l.bucket) FROM generate_series(0, 32) n LEFT JOIN unnest(array_agg(s.bucket)) l(bucket) ON l.bucket = n GROUP BY n ORDER BY n)
FROM (
  SELECT d.environment_id, d.endpoint_id, a.number, date_bin('15 minutes', a.started_at, 'epoch') AS quarter,
    coalesce(a.response_status BETWEEN 200 AND 299, false) AS is_delivered,
    width_bucket(a.duration_ms, ARRAY[1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192, 11585, 16384, 23170, 32768, 46341, 65536]) AS bucket
  FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
) s GROUP BY 1, 2, 3;
