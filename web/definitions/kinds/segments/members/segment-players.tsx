"use client";

import { MembershipTrial } from "./membership-trial.tsx";
import { Members } from "./members.tsx";

interface SegmentProps {
  segmentKey: string;
  /** The stored segment, as JSON text. */
  document: string;
  isActive: boolean;
}

/** A segment's members: number and list from the last count, and a live check of one player. */
export const SegmentPlayers = ({ segmentKey, document, isActive }: SegmentProps) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <Members segmentKey={segmentKey} isActive={isActive} />
    <MembershipTrial document={document} />
  </div>
);
