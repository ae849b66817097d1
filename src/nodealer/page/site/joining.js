// @ts-check
// Joining friends: an invite that was pasted, or that stands behind the # of an address of ours. It
// is taken out of the address at once, and nobody is visited before the player says so.

import { make } from "./dom.js";
import { WORDS } from "./words.js";

/** @param {(what: string, fields: Record<string, unknown>) => Promise<boolean>} step */
export function joinForm(step) {
  const name = make("input", { name: "name", maxlength: 40, required: true, autocomplete: "nickname" });
  const invite = make("input", { name: "invite", required: true, autocomplete: "off", maxlength: 8192, spellcheck: "false", placeholder: WORDS.invitePlace });
  const send = make("button", { class: "primary" }, WORDS.join);
  const root = make("form", { class: "form" }, make("label", {}, WORDS.invite, invite), make("label", {}, WORDS.name, name), make("div", { class: "row" }, send));
  let isSending = false;
  root.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const isDone = await step("join", { invite: invite.value.trim(), name: name.value.trim() });
    isSending = false;
    if (isDone) invite.value = "";
    root.dispatchEvent(new CustomEvent("joined", { detail: isDone }));
  });
  return {
    root,
    /** Fill in the name that is known, unless another one was typed. @param {string} known */
    called(known) {
      if (name.value === "") name.value = known;
    },
    /** Fill in an invite; what is left to say is the name. @param {string} text */
    fill(text) {
      invite.value = text;
      name.focus();
      name.select();
    },
  };
}

const INVITE = /^#(nodealer1[a-z0-9]+)$/i;

/**
 * Take an invite out of the address, now and whenever there is one.
 * @param {(invite: string) => void} found
 */
export function takeInvites(found) {
  const take = () => {
    const invite = INVITE.exec(location.hash)?.[1];
    if (!invite) return;
    history.replaceState(null, "", location.pathname);
    found(invite);
  };
  addEventListener("hashchange", take);
  take();
}

/** The link that leads to a lobby from any page of ours. @param {string} invite */
export const linkOf = (invite) => `${location.origin}/#${invite}`;
