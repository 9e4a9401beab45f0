import { z } from "zod";

/** Members that the authoring options of several kinds have. */

export const iconOption = { icon: z.string().nullable() };

export const propertiesOption = { properties: z.array(z.object({ key: z.string(), type: z.string(), required: z.boolean() })) };
