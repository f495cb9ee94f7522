// Pages of records: follow a review that is being made, and read a record from a file.

import { $ } from "./page.js";

const AGAIN = 700; // milliseconds

// Attend to a review that is being made.
export async function followReview(transport) {
  const review = $("#reviewing");
  while (review) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    const { ok, data } = await transport.getJson(review.dataset.at);
    if (!ok || !data) continue;
    if (data.ready || data.failed || !data.total) return transport.reload();
    $("progress", review).value = data.done;
    $("#reviewed").textContent = `${data.done} / ${data.total}`;
  }
}

// Attend to the field for the file of a record.
export function initRecordFile() {
  const file = $("#record-file");
  file?.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen) $("#record-text").value = await chosen.text();
  });
}
