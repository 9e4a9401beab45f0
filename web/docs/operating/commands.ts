export const PRODUCTION = `export DATABASE_URL=postgres://engagement:…@db.internal:5432/engagement
export BASE_URL=https://points.example.com
export AUTH_SECRET=$(openssl rand -base64 33)   # once: keep it
export TRUST_PROXY=true                         # behind a proxy that sets X-Forwarded-For
export DEMO=off OPERATIONS_PORT=9464
npm start`;

export const WORKER = `WORKER=off npm start   # the API and the dashboard
npm run worker         # as many as you want`;

export const HEALTH = "curl http://127.0.0.1:9464/ready";
