// Passkeys: a form that has the browser make one, or answer by one, and sends what it says.

import { $, $$, body } from "./page.js";

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// The options of the server as the browser takes them: bytes where it sent base64url.
function withBytes(options) {
  const credentials = (list) => list?.map((one) => ({ ...one, id: toBytes(one.id) }));
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: toBytes(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: credentials(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: credentials(options.allowCredentials) }),
  };
}

// What a passkey says, as text.
function asJson(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const given = parts.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
  return JSON.stringify({
    id: credential.id, rawId: toText(credential.rawId), type: credential.type, response: Object.fromEntries(given),
    clientExtensionResults: {},
  });
}

// Attend to the forms of a page that work by a passkey.
export function initPasskeys(transport) {
  for (const form of $$("form[data-passkey]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const fault = $(".fault", form);
      const button = $("button", form);
      fault.hidden = true;
      button.disabled = true;
      const message = await signWith(transport, form).catch(() => form.dataset.failed);
      button.disabled = false;
      fault.textContent = message ?? "";
      fault.hidden = !message;
    }, true);
  }
}

// Ask the server for a challenge, the browser for its answer, and send that; what went wrong, if anything did.
async function signWith(transport, form) {
  const data = { ...Object.fromEntries(new FormData(form)), nonce: body.dataset.nonce };
  const asked = await transport.postForm(form.dataset.challenge, data);
  if (!asked.ok) return asked.data?.message || form.dataset.failed;
  const options = { publicKey: withBytes(asked.data) };
  const makes = form.dataset.passkey === "register";
  const credential = await (makes ? navigator.credentials.create(options) : navigator.credentials.get(options));
  const answer = await transport.postJson(form.getAttribute("action"), { ...data, credential: asJson(credential) });
  if (!answer.ok) return answer.data?.message || form.dataset.failed;
  location.assign(answer.data.to);
  return "";
}
