/** Joins the pages of an export into one JSON object, with a list per section. Numbers stay digit for digit: rows are text. */
export class ExportWriter {
  readonly #parts: string[] = ["{"];
  #section: string | null = null;
  #isFirst = true;
  rows = 0;

  add(section: string, rows: readonly string[]): void {
    if (section !== this.#section) {
      this.#parts.push(`${this.#section === null ? "\n" : "\n  ],\n"}  ${JSON.stringify(section)}: [`);
      this.#section = section;
      this.#isFirst = true;
    }
    for (const row of rows) {
      this.#parts.push(`${this.#isFirst ? "\n" : ",\n"}    ${row}`);
      this.#isFirst = false;
    }
    this.rows += rows.length;
  }

  text(): string {
    return `${this.#parts.join("")}${this.#section === null ? "" : "\n  ]"}\n}\n`;
  }

  file(): Blob {
    return new Blob([this.text()], { type: "application/json" });
  }
}
