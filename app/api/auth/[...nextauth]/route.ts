import { handlers } from "../../../_auth/auth.ts";

export const { GET, POST } = handlers;
