// This project's own lint rules.

const TIME_IS_AN_ARGUMENT = "Time is an argument: take `now` from the caller.";
const NO_CHANCE = "A rule gives the same answer every time: take random values from the caller.";
const NO_WAITING = "A rule is a plain function over plain data: nothing to wait for. Load before it, save after it.";

/** Domain rules are in pure files: plain functions without a clock, randomness or waiting. */
const pure = {
  create(context) {
    const refuse = (message) => (node) => context.report({ node, message });
    const refuseIfAsync = (node) => {
      if (node.async) context.report({ node, message: NO_WAITING });
    };
    return {
      MemberExpression(node) {
        if (isMember(node, "Date", "now") || isMember(node, "Temporal", "Now")) refuse(TIME_IS_AN_ARGUMENT)(node);
        if (isMember(node, "Math", "random") || (isNamed(node.object, "crypto") && /random/i.test(node.property.name ?? "")))
          refuse(NO_CHANCE)(node);
      },
      NewExpression(node) {
        if (isNamed(node.callee, "Date") && node.arguments.length === 0) refuse(TIME_IS_AN_ARGUMENT)(node);
      },
      CallExpression(node) {
        if (isNamed(node.callee, "Date")) refuse(TIME_IS_AN_ARGUMENT)(node);
      },
      ImportSpecifier(node) {
        if (/^random/.test(node.imported.name ?? "")) refuse(NO_CHANCE)(node);
      },
      AwaitExpression: refuse(NO_WAITING),
      FunctionDeclaration: refuseIfAsync,
      FunctionExpression: refuseIfAsync,
      ArrowFunctionExpression: refuseIfAsync,
    };
  },
};

/** Only `server/process/settings.ts` reads environment variables. */
const settingsAlone = {
  create: (context) => ({
    MemberExpression(node) {
      if (isMember(node, "process", "env")) context.report({ node, message: "server/process/settings.ts reads the environment for all." });
    },
  }),
};

export default { meta: { name: "house" }, rules: { pure, "settings-alone": settingsAlone } };

function isMember(node, object, property) {
  return isNamed(node.object, object) && node.property.name === property;
}

function isNamed(node, name) {
  return node.type === "Identifier" && node.name === name;
}
