import { type Database, transact, type Transaction } from "#db/client.ts";
import { cutsOf, isSingle, maxBlocks, rangesOf, RANGE_SIZE, reshaped, withCuts } from "#server/model/leaderboards/ranges.ts";
import { untilSeenEverywhere } from "#server/engine/store/locks.ts";
import { countPieces, lockRangesExclusive, loadBlocks, replaceBlocks, sampleRange, sizeOf, type StoredBlock } from "../store/blocks.ts";

/**
 * Cuts the full ranges of a period, so that a rank is never counted among many scores. Ranges are cut as soon as they are full, so writers
 * of scores wait only some milliseconds. Independent statements are pipelined, since the thread also applies facts, which delays each
 * result.
 */
export function cutRanges(database: Database, periodId: number): Promise<void> {
  return transact(database, async (tx) => {
    // Scores that a crash left uncommitted on their machine are already in the counts; retry later.
    if (!(await untilSeenEverywhere(tx))) return;
    await lockRangesExclusive(tx, periodId);
    const full = await loadBlocks(tx, periodId, true);
    const cut = await Promise.all(full.map((block) => cutBlock(tx, periodId, block)));
    const replaced = cut.map((block, at) => replaceBlocks(tx, periodId, [full[at]!.block], reshaped([block])));
    const [{ blocks, scores }] = await Promise.all([sizeOf(tx, periodId), ...replaced]);
    if (blocks > maxBlocks(scores)) {
      const all = await loadBlocks(tx, periodId, false);
      await replaceBlocks(
        tx,
        periodId,
        all.map(({ block }) => block),
        reshaped(all),
      );
    }
  });
}

/**
 * Cuts the full ranges of a block, and with them the half-full ones, which would soon need another cut. It works from the last range to the
 * first, so that the preceding indexes stay valid.
 */
async function cutBlock(tx: Transaction, periodId: number, block: StoredBlock): Promise<StoredBlock> {
  const isHalfFull = (index: number) => block.counts.some((lane) => (lane[index] ?? 0) > RANGE_SIZE / 2);
  const found = [...rangesOf(block).entries()].filter(([index, range]) => isHalfFull(index) && !isSingle(range)).reverse();
  const sampled = found.map(async ([index, range]) => ({ index, range, cuts: cutsOf(range, await sampleRange(tx, periodId, range)) }));
  const cut = (await Promise.all(sampled)).filter(({ cuts }) => cuts.length > 0);
  const counts = await Promise.all(cut.map(({ range, cuts }) => countPieces(tx, periodId, range, cuts)));
  return cut.reduce<StoredBlock>((left, { index, cuts }, at) => ({ ...left, ...withCuts(left, index, cuts, counts[at]!) }), block);
}
