"use client";

import { useEffect } from "react";
import { SIGNED_IN_CHANNEL } from "../../paths.ts";

/** Tells this browser's other windows about the sign-in, and closes this one if the browser allows it. */
export function TellOthers() {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.postMessage(null);
    channel.close();
    close();
  }, []);
  return null;
}
