import { JSON_NOTATION, layOut, type Notation } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

/** A number sign may begin interpolation in a string. */
const text = (value: string): string => JSON.stringify(value).replaceAll("#", String.raw`\#`);

const NOTATION: Notation = {
  ...JSON_NOTATION,
  name: (name) => `${/^[a-zA-Z_]\w*$/.test(name) ? name : text(name)}: `,
  text,
  nothing: "nil",
};

/** For Ruby 3, with its own library alone. */
export function rubyOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const verb = method[0] + method.slice(1).toLowerCase();
  return [
    ...(body === undefined ? [] : ['require "json"']),
    'require "net/http"',
    "",
    `uri = URI(${text(baseUrl + path)})`,
    `request = Net::HTTP::${verb}.new(uri)`,
    'request["Authorization"] = "Bearer #{ENV.fetch("KEY")}"',
    ...(body === undefined
      ? []
      : ['request["Content-Type"] = "application/json"', `request.body = JSON.generate(${layOut(body, NOTATION, "", 29)})`]),
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
    'puts "#{response.code} #{response.body}"',
  ].join("\n");
}
