"use client";

import { MembershipTrial } from "./membership-trial.tsx";
import { Members } from "./members.tsx";

interface SegmentProps {
  segmentKey: string;
  /** The segment as it is stored, as JSON text. */
  document: string;
  isActive: boolean;
}

/** Who is in a segment: how many and which players by the last count, and whether one of them is in it now. */
export const SegmentPlayers = ({ segmentKey, document, isActive }: SegmentProps) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <Members segmentKey={segmentKey} isActive={isActive} />
    <MembershipTrial document={document} />
  </div>
);
