"use client";

import { useEffect } from "react";
import { SIGNED_IN_CHANNEL } from "../../paths.ts";

/** Tells the windows of this browser that somebody has signed in, and closes this one where the browser lets it. */
export function TellOthers() {
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.postMessage(null);
    channel.close();
    close();
  }, []);
  return null;
}
