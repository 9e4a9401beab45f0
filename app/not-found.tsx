export default function NotFound() {
  return (
    <main className="notice">
      <p className="status">404</p>
      <h1>There is no page here</h1>
      <p>
        This is an engagement service: its API answers under <code>/v1</code>, to the API keys of your backend.
      </p>
      <ul className="links">
        <li>
          <a href="/v1/openapi.json">API description</a>
          <span>Every endpoint, machine-readable (OpenAPI)</span>
        </li>
        <li>
          <a href="/docs/errors">Error reference</a>
          <span>Every code, what it means and what to do</span>
        </li>
      </ul>
    </main>
  );
}
