//! Makes random programs.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and its
//! numbers stay small; what it calls, reads and writes is defined, though an expression may raise
//! what the calls at the end catch.

use super::random::{Random, Text};

/// Makes one program.
struct Maker {
    random: Random,
    text: Text,
    /// Loops around the current statement, whose variables are `k0`, `k1`, ...
    loops: usize,
    /// Whether `continue` and `break` are possible.
    in_loop: bool,
}

impl Maker {
    fn line(&mut self, text: &str) {
        self.text.line(text);
    }

    /// An int expression.
    fn int(&mut self, depth: u32) -> String {
        let leaf = depth == 0 || self.random.one_in(3);
        if leaf {
            let small = self.random.below(5).to_string();
            let last = self.loops.checked_sub(1).map(|k| format!("k{k}"));
            let choices = [
                "n",
                "i",
                "box.n",
                "len(box.items)",
                "m",
                "table['a']",
                "table.get(m, 2)",
                "box.twice",
                "y.shape[0]",
                "len(hs)",
                "pair[1]",
                "-1",
            ];
            return match (self.random.below(8), last) {
                (0 | 1, Some(k)) => k,
                (2 | 3, _) => small,
                _ => self.random.pick(&choices).to_owned(),
            };
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        match self.random.below(13) {
            0 => format!("({a} * {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} % 7)"),
            3 => format!("({a} // 3)"),
            4 => format!("max({a}, {b})"),
            5 => format!("({a} & {b})"),
            6 => format!("({a} ^ 3)"),
            7 => format!("({a} if {} else {b})", self.condition()),
            8 => format!("abs({a})"),
            9 => format!("sum([{a}, {b}, 1])"),
            10 => format!("add({a}, b={b})"),
            11 => format!("int({})", self.float(0)),
            _ => format!("({a} + {b})"),
        }
    }

    /// A small number.
    fn literal(&mut self) -> String {
        self.random.below(9).to_string()
    }

    /// A float expression.
    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return self
                .random
                .pick(&[
                    "f",
                    "0.5",
                    "-1.25",
                    "box.f",
                    "t.sum().item()",
                    "float(n)",
                    "u[0].item()",
                    "pair[0]",
                    "a.mean().item()",
                ])
                .to_owned();
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.random.below(7) {
            0 => format!("({a} * 0.5)"),
            1 => format!("({a} - {b})"),
            2 => format!("min({a}, {b})"),
            3 => format!("abs({a})"),
            4 => format!("({a} if {} else {b})", self.condition()),
            5 => format!("math.tanh({a})"),
            _ => format!("({a} * 0.25 + {b})"),
        }
    }

    /// A tensor expression of shape [3].
    fn tensor(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(4) {
            return self
                .random
                .pick(&[
                    "t",
                    "x",
                    "u",
                    "w",
                    "box.t",
                    "x * 0.5",
                    "torch.ones(3)",
                    "hs[-1]",
                    "a[0]",
                    "y[0]",
                    "y.mean(0)",
                    "table['t']",
                    "net.bias",
                ])
                .to_owned();
        }
        let a = self.tensor(depth - 1);
        match self.random.below(28) {
            25 => format!(
                "({a}).clamp(-2.0, 2.0) ** ({} % {})",
                self.int(0),
                2 + self.random.below(4)
            ),
            26 => format!(
                "(({a}).abs() + 0.5).clamp(0.5, 2.0) ** min(max({}, -2.0), 2.0)",
                self.float(0)
            ),
            0 => format!("torch.tanh({a})"),
            1 => format!("({a} + {})", self.tensor(depth - 1)),
            2 => format!("({a} * {})", self.tensor(depth - 1)),
            3 => format!("({a} - {})", self.float(1)),
            4 => format!("({a}).relu()"),
            5 => format!("torch.where({a} > 0, {a}, u)"),
            6 => format!("({a} * {})", self.int(1)),
            7 => format!("bump({a})"),
            8 => format!("helper({a}, {})", self.int(0)),
            9 => format!("({a}).clamp(-2.0, 2.0)"),
            10 => format!("({a} if {} else u)", self.condition()),
            11 => format!("box.scale({a})"),
            12 => format!("({} @ {a})", self.matrix(depth - 1)),
            13 => format!("net({a})"),
            14 => format!("torch.stack([{a}, u]).sum(0)"),
            15 => format!("torch.cat([{a}[:2], ({a})[2:]])"),
            16 => format!("({a}).reshape(3, 1).expand(3, 2).sum(1)"),
            17 => format!(
                "acts[{}]({a})",
                self.random.pick(&["'soft'", "'neg'", "'id'"])
            ),
            18 => format!("rec({a}, {} % 4)", self.int(0)),
            19 => format!("({a}).softmax(0)"),
            20 => format!("({a})[torch.tensor([2, 0, 1])]"),
            21 => format!("({} + {a})", self.matrix(0)) + ".sum(0).clamp(-3.0, 3.0)",
            22 => format!("sum([h * 0.5 for h in [{a}, u, x]])"),
            23 => format!("apply(lambda v: v * {}, {a})", self.float(0)),
            24 => format!("join({a}, *[u, x][: {} % 3])", self.int(0)),
            _ => format!("({a}).flip(0)"),
        }
    }

    /// A tensor expression of shape [3, 3].
    fn matrix(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return self
                .random
                .pick(&["a", "net.weight", "a.t()", "torch.eye(3)", "a * 0.5"])
                .to_owned();
        }
        let a = self.matrix(depth - 1);
        match self.random.below(6) {
            0 => format!("({a} @ {}).clamp(-2.0, 2.0)", self.matrix(depth - 1)),
            1 => format!("({a} + {})", self.tensor(depth - 1)),
            2 => format!("torch.tanh({a})"),
            3 => format!("({a}).transpose(0, 1)"),
            4 => format!("torch.outer({}, u)", self.tensor(0)),
            _ => format!("({a} * {})", self.tensor(0)),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(18) {
            16 => "random.random() < 0.5".to_owned(),
            17 => "torch.rand(1).item() > 0.4".to_owned(),
            0 => format!("{} > {}", self.int(1), self.int(1)),
            1 => format!("{} < {}", self.float(0), self.float(0)),
            2 => "t.sum() > 0".to_owned(),
            3 => "flag".to_owned(),
            4 => format!("not flag or {} == 1", self.int(1)),
            5 => format!("{} % 2 == 0", self.int(1)),
            6 => "box.items and n > 1".to_owned(),
            7 => "box.last is None".to_owned(),
            8 => "mode == 'x'".to_owned(),
            9 => "m in table".to_owned(),
            10 => "isinstance(box.last, torch.Tensor)".to_owned(),
            11 => "(u > 0).any()".to_owned(),
            12 => "net.training".to_owned(),
            13 => format!("{} in (1, 2, 5)", self.int(0)),
            14 => "y.size(0) > 2".to_owned(),
            _ => format!("0 <= {} < 4", self.int(1)),
        }
    }

    fn block(&mut self, depth: u32, most: u64) {
        self.text.indent += 1;
        let count = 1 + self.random.below(most);
        for _ in 0..count {
            self.statement(depth);
        }
        self.text.indent -= 1;
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 || !self.random.one_in(3) {
            match self.random.below(3) {
                0 => self.numbers(),
                1 => self.tensors(),
                _ => self.objects(),
            }
            return;
        }
        self.compound(depth);
    }

    fn numbers(&mut self) {
        let small = self.random.below(3);
        let line = match self.random.below(16) {
            14 => {
                let count = 2 + self.random.below(20);
                let items: Vec<String> = (0..count).map(|_| self.literal()).collect();
                let items = items.join(", ");
                format!("n += [{items}][{} % {count}]", self.int(1))
            }
            15 => format!(
                "counts = [0] * 10; counts[{} % 10] += 1; counts[{}] += n % 3; n += counts[3]",
                self.int(0),
                self.random.pick(&["-1", "m % 10", "3"])
            ),
            11 => "f = random.random() * 2 - 0.5".to_owned(),
            12 => format!("n += random.randint({small}, 5)"),
            13 => "f = math.sin(f) + math.exp(f * 0.1 if f < 9 else 0.0) ** 2".to_owned(),
            0 => format!("n = {} % 101", self.int(2)),
            1 => format!("n += {}", self.int(0)),
            2 => format!("f = {}", self.float(2)),
            3 => format!("m, n = n % 9, m + {small}"),
            4 => format!("pair = ({}, {} % 5)", self.float(1), self.int(1)),
            5 => format!("first, *others = [{}, m, n]", self.int(0)),
            6 => format!("n -= {} // 2", self.int(1)),
            7 if self.in_loop => {
                let word = self.random.pick(&["break", "continue"]);
                format!("if {}: {word}", self.condition())
            }
            8 => format!("if {}: raise ValueError(str(n % 5))", self.condition()),
            9 => format!("assert {} < 1000, 'large'", self.int(1)),
            _ => format!(
                "mode = {} if {} else 'z'",
                self.random.pick(&["'x'", "'y'", "mode"]),
                self.condition()
            ),
        };
        self.line(&line);
    }

    fn tensors(&mut self) {
        let line = match self.random.below(32) {
            28 => format!(
                "n += torch.bincount((t.detach() * 2).clamp(0.0, 5.0).long(), minlength={}).argmax().item()",
                self.random.pick(&["6", "3", "n % 4", "0"])
            ),
            29 => "n += sum(v * v for v in (y.sum(1) * 2).clamp(-9.0, 9.0).long().tolist()) % 7"
                .to_owned(),
            30 => "v, c = torch.unique((y * 2).clamp(-3.0, 3.0).round(), return_counts=True); u = u + v[0] * 0.1 + c.float().mean() * 0.01".to_owned(),
            24 => "t = F.dropout(t, 0.4, net.training)".to_owned(),
            25 => "u = u + torch.randn(3) * 0.1".to_owned(),
            26 => "n += int(torch.randint(0, 4, (1,)))".to_owned(),
            27 => "n += torch.multinomial(torch.softmax(t.detach().clamp(-3.0, 3.0), 0), 1).item()"
                .to_owned(),
            0..=3 => format!("t = {}", self.tensor(2)),
            4 => format!("u = ({}).detach().clone()", self.tensor(1)),
            5 => "t = t + w".to_owned(),
            6 => "u += 0.5".to_owned(),
            7 => "u[0] = 1.5".to_owned(),
            8 => "u[1:].mul_(0.5)".to_owned(),
            9 => format!("u[{} % 3] = {}", self.int(0), self.float(0)),
            10 => format!("a = ({}).detach().clone()", self.matrix(2)),
            11 => format!("a[{} % 3] += {}", self.int(0), "u"),
            12 => "a[:, 1] = u * 0.5".to_owned(),
            13 => "v = u.view(3, 1); v *= 0.5".to_owned(),
            14 => "u.clamp_(-1.5, 1.5)".to_owned(),
            15 => "v = a[1]; v.add_(0.25); u = u + v".to_owned(),
            16 => "u[u > 0.5] = 0.25".to_owned(),
            17 => "u = u + torch.rand(3)".to_owned(),
            18 => format!(
                "v = {} if {} else {}; u.add_(0.25); t = t + v",
                self.random.pick(&["t", "u", "hs[-1]"]),
                self.condition(),
                self.random.pick(&["u", "a[0]", "u * 0.5"])
            ),
            19 => format!("v = u if {} else a[1]; v.mul_(0.5)", self.condition()),
            20 => format!(
                "u = ({}).detach()",
                self.random.pick(&["t", "hs[0]", "box.t"])
            ),
            21 => "v = u[1:] * 1; w2 = u[1:]; u.mul_(0.5); t = t + w2.sum() - v.sum()".to_owned(),
            22 => format!("box.t = u if {} else t.detach()", self.condition()),
            23 => format!("n += 1 if (t if {} else u) is u else 2", self.condition()),
            _ => format!("hs.append({})", self.tensor(1)),
        };
        self.line(&line);
    }

    fn objects(&mut self) {
        let line = match self.random.below(21) {
            0 => format!("box.n = {} % 11", self.int(1)),
            1 => format!("box.f = {}", self.float(1)),
            2 => format!("box.t = ({}).detach()", self.tensor(1)),
            3 => format!("box.items.append({} % 50)", self.int(1)),
            4 => "if len(box.items) > 3: box.items.pop()".to_owned(),
            5 => format!("log.append(f\"{{n}} {{{}:.3f}}\")", self.float(1)),
            6 => format!("box.last = ({}).sum().detach()", self.tensor(1)),
            7 => format!("print('  at', n, {})", self.int(0)),
            8 => format!("table['a'] = {} % 17", self.int(1)),
            9 => format!("table[{} % 4] = {} % 23", self.int(0), self.int(0)),
            10 => format!("table['t'] = ({}).detach()", self.tensor(1)),
            11 => "table.pop(m, None)".to_owned(),
            12 => "if len(hs) > 4: hs = hs[-2:]".to_owned(),
            13 => format!(
                "if box.items: box.items[{}] = n % 50",
                self.random.pick(&["0", "-1", "n % len(box.items)"])
            ),
            14 => format!("n += box.items[{} % 4]", self.int(0)),
            15 => format!(
                "n += {{'p': 1, 'q': 2}}[{}]",
                self.random.pick(&["'p'", "'q'", "mode"])
            ),
            16 => "box.kind = mode".to_owned(),
            17 => "net.train(flag)".to_owned(),
            18 => format!(
                "n += sum(k for k in box.items if k > {})",
                self.random.below(4)
            ),
            19 => "box.items = sorted(box.items)".to_owned(),
            _ => "seen.add(n % 6)".to_owned(),
        };
        self.line(&line);
    }

    fn compound(&mut self, depth: u32) {
        match self.random.below(11) {
            9 | 10 => self.gathered(depth),
            0..=2 => {
                let condition = self.condition();
                self.line(&format!("if {condition}:"));
                self.block(depth - 1, 3);
                if self.random.one_in(4) {
                    let condition = self.condition();
                    self.line(&format!("elif {condition}:"));
                    self.block(depth - 1, 2);
                }
                if self.random.one_in(2) {
                    self.line("else:");
                    self.block(depth - 1, 3);
                }
            }
            3 | 4 => self.for_loop(depth),
            5 => {
                let k = self.loops;
                self.line(&format!("k{k} = 0"));
                let test = match self.random.below(3) {
                    0 => format!("while k{k} < n % 5 and not (t.sum() > 50):"),
                    1 => format!("while k{k} < i % 4:"),
                    _ => format!("while k{k} < n % 5:"),
                };
                self.line(&test);
                self.text.indent += 1;
                self.line(&format!("k{k} += 1"));
                self.text.indent -= 1;
                self.repeated(depth);
                self.otherwise();
            }
            6 => {
                self.line("with torch.no_grad():");
                self.block(depth - 1, 2);
            }
            7 => {
                let by = self.random.below(3);
                self.line(&format!("with Scope({by}):"));
                self.block(depth - 1, 2);
            }
            _ => {
                self.line("try:");
                self.block(depth - 1, 3);
                let caught =
                    self.random
                        .pick(&["ValueError", "(ValueError, KeyError)", "IndexError"]);
                self.text.lines(
                    &format!("except {caught} as e:"),
                    &["log.append(str(e))".to_owned()],
                );
                if self.random.one_in(2) {
                    self.text
                        .lines("finally:", &["box.n = (box.n + 1) % 13".to_owned()]);
                }
            }
        }
    }

    fn for_loop(&mut self, depth: u32) {
        let k = self.loops;
        let (over, more) = match self.random.below(13) {
            0 => (format!("range({})", 2 + self.random.below(4)), ""),
            1 => ("range(i % 5)".to_owned(), ""),
            2 => ("range(n % 4)".to_owned(), ""),
            3 => ("range(30)".to_owned(), ""),
            4 => (
                format!("enumerate(x[:{}])", 1 + self.random.below(3)),
                ", row",
            ),
            5 => ("enumerate(y)".to_owned(), ", row"),
            6 => ("zip(range(5), hs)".to_owned(), ", row"),
            7 => ("list(box.items)[:8]".to_owned(), ""),
            8 => (
                "[v for v in table.values() if isinstance(v, int)]".to_owned(),
                "",
            ),
            9 => ("reversed(range(m % 6))".to_owned(), ""),
            11 => ("count(i % 4)".to_owned(), ""),
            10 => ("range(0, 7, 1 + i % 3)".to_owned(), ""),
            _ => (
                format!(
                    "range({}, {}, {})",
                    self.random.pick(&["0", "i % 3", "m % 4"]),
                    self.random.pick(&["7", "n % 9", "i % 8"]),
                    self.random
                        .pick(&["2", "n % 3 + 1", "1 + i % 3", "-1", "m % 5"])
                ),
                "",
            ),
        };
        self.line(&format!("for k{k}{more} in {over}:"));
        if !more.is_empty() && self.random.one_in(2) {
            self.text.indent += 1;
            self.line("t = t + row * 0.25");
            self.text.indent -= 1;
        }
        self.repeated(depth);
        self.otherwise();
    }

    /// A list that a loop fills, and what becomes of it.
    fn gathered(&mut self, depth: u32) {
        let k = self.loops;
        let (over, more) = match self.random.below(6) {
            0 => ("enumerate(y)", ", row"),
            1 => ("zip(range(n % 6), y)", ", row"),
            2 => ("range(n % 4)", ""),
            3 => ("range(y.shape[0])", ""),
            4 => ("range(i % 5, 0, -1)", ""),
            _ => ("enumerate(y[1:])", ", row"),
        };
        let kept = self.random.one_in(4);
        let start = match kept {
            true => "box.made",
            false => self.random.pick(&["[]", "[]", "[t]", "[u * 1, x]"]),
        };
        self.line(&format!("gs = {start}"));
        let more = if self.random.one_in(4) {
            let test = self
                .random
                .pick(&["n % 6", "i % 5 + 1", "min(n, 3) and not (t.sum() > 9)"]);
            self.line(&format!("k{k} = 0"));
            self.line(&format!("while k{k} < {test}:"));
            self.text.indent += 1;
            self.line(&format!("k{k} += 1"));
            self.text.indent -= 1;
            ""
        } else {
            self.line(&format!("for k{k}{more} in {over}:"));
            more
        };
        self.loops += 1;
        self.text.indent += 1;
        let outer = std::mem::replace(&mut self.in_loop, true);
        if self.random.one_in(2) {
            self.statement(depth.min(2) - 1);
        }
        if !more.is_empty() && self.random.one_in(2) {
            self.line("t = t + row * 0.25");
        }
        let item = match self.random.below(4) {
            0 => "t".to_owned(),
            1 if !more.is_empty() => self.random.pick(&["row", "row * 2"]).to_owned(),
            _ => self.tensor(1),
        };
        let put = match self.random.one_in(4) {
            true => format!("gs.insert(0, {item})"),
            false => format!("gs.append({item})"),
        };
        if self.random.one_in(4) {
            let condition = self.condition();
            self.text.lines(&format!("if {condition}:"), &[put]);
        } else {
            self.line(&put);
        }
        match self.random.below(8) {
            0 => self.line("t = t + gs[-1] * 0.5"),
            1 => self.line("gs += [u * 0.5]"),
            2 => self.line("u.mul_(0.5)"),
            3 => self.statement(0),
            _ => {}
        }
        self.in_loop = outer;
        self.text.indent -= 1;
        self.loops -= 1;
        for _ in 0..=self.random.below(2) {
            let line = match self.random.below(13) {
                12 => "gs.reverse()",
                0 | 1 => "t = t + torch.stack(gs).mean(0) if gs else t - 1",
                2 => "t = t + sum(gs) * 0.1",
                3 => "for v in gs: t = t + v * 0.5",
                4 => "n += len(gs)",
                5 => "hs = gs[-2:] or hs",
                6 => "box.last = gs[-1].sum().detach() if gs else None",
                7 => "for v, v2 in zip(gs, reversed(gs)): t = t + v * v2.clamp(-1.0, 1.0)",
                8 => "box.f = torch.cat(gs).sum().item() if len(gs) > 1 else 0.5",
                9 => "f += max([0.0] + [v.sum().item() for v in gs]) * 0.1",
                10 => "u = u + torch.tensor([len(gs), n % 7, 1.5])",
                _ => "hs = gs",
            };
            self.line(line);
        }
        if kept {
            let done = [
                "box.made.clear()",
                "del gs[:]",
                "box.made = []",
                "box.made = hs[:1]",
            ];
            let done = self.random.pick(&done);
            self.line(done);
        }
    }

    fn otherwise(&mut self) {
        if self.random.one_in(5) {
            self.text.lines("else:", &["n += 1".to_owned()]);
        }
    }

    fn repeated(&mut self, depth: u32) {
        self.loops += 1;
        let outer = std::mem::replace(&mut self.in_loop, true);
        self.block(depth - 1, 3);
        self.in_loop = outer;
        self.loops -= 1;
    }

    /// How a step ends.
    fn finish(&mut self) {
        self.line("total += n % 4");
        match self.random.below(5) {
            0 | 1 => {
                self.line("loss = (t * w).sum()");
                self.line("loss.backward()");
                let update = [
                    "w.sub_(0.01 * w.grad.clamp(-1.0, 1.0))".to_owned(),
                    "net.bias.mul_(0.9)".to_owned(),
                ];
                self.text.lines("with torch.no_grad():", &update);
                self.line("w.grad = None");
                self.line("return loss.item(), n, f");
            }
            2 => {
                self.line("optimizer.zero_grad()");
                self.line("loss = ((net(t) - u) ** 2).clamp(max=10.0).mean() + (w * t.detach()).sum() * 0.1");
                if self.random.one_in(2) {
                    self.text
                        .lines("if flag:", &["loss = loss * 0.5".to_owned()]);
                }
                self.line("loss.backward()");
                self.line("optimizer.step()");
                self.line("return loss, n, f");
            }
            3 => {
                self.line("loss = (t * t).sum() + (w * 2).sum()");
                self.line("g, = torch.autograd.grad(loss, [w])");
                self.line("return g.clamp(-9.0, 9.0), n, f");
            }
            _ => self.line("return t.detach(), n, f"),
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut this = Maker {
        random: Random::of(seed),
        text: Text::default(),
        loops: 0,
        in_loop: false,
    };
    this.text.push(PROLOGUE);
    this.line("def step(x, y, i, flag, mode='x'):");
    this.text.indent = 1;
    this.line("global total");
    this.line("n, m, f, t = i, i % 3, 0.5 * i, x");
    this.line(
        "u, a, hs, pair, seen = torch.zeros(3), torch.ones(3, 3) * 0.25, [x], (0.5, 1), set()",
    );
    let count = 3 + this.random.below(6);
    for _ in 0..count {
        this.statement(3);
    }
    this.finish();
    this.text.push(EPILOGUE);
    this.text.finish()
}

const PROLOGUE: &str = "\
import math
import random
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(1)
random.seed(1)
w = torch.randn(3, requires_grad=True)
log = []
total = 0
table = {'a': 1, 'b': 2, 't': torch.ones(3)}
acts = {'soft': torch.tanh, 'neg': lambda v: -v, 'id': lambda v: v}


class Base:
    kind = 'x'

    @property
    def twice(self):
        return self.n * 2


class Box(Base):
    def __init__(self):
        self.t = torch.ones(3)
        self.n = 1
        self.f = 0.25
        self.items = []
        self.made = []
        self.last = None

    def scale(self, v):
        self.n = (self.n + 1) % 17
        return v * 0.5


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 3) * 0.5)
        self.bias = nn.Parameter(torch.zeros(3))
        self.calls = 0

    def forward(self, v):
        self.calls += 1
        h = self.weight @ v + self.bias
        if self.training:
            return torch.tanh(h)
        return h * 0.5


class Scope:
    def __init__(self, by):
        self.by = by

    def __enter__(self):
        box.n += self.by
        return self

    def __exit__(self, *rest):
        box.n -= self.by
        return False


def make():
    count = 0

    def bump(v):
        nonlocal count
        count += 1
        return v + (count % 3)

    return bump


def helper(v, k):
    if k > 2:
        return v * 0.5
    return v - 1


def add(a, *, b=1):
    return a + b


def apply(g, v):
    return g(v)


def join(v, *rest, scale=0.5):
    for r in rest:
        v = v + r * scale
    return v


def rec(v, k):
    if k <= 0:
        return v
    return rec(v * 0.5 + 0.1, k - 1)


def count(k):
    while k > 0:
        yield k
        k -= 1


box = Box()
bump = make()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)


";

const EPILOGUE: &str = "

for i in range(16):
    x = torch.full((3,), float(i % 5) - 2.0)
    y = torch.arange(3.0 * (1 + i % 4)).reshape(-1, 3) * 0.1
    try:
        print(i, step(x, y, i, i % 3 == 0, 'xyx'[i % 3]))
    except (ValueError, AssertionError, OverflowError, RuntimeError, UnboundLocalError, IndexError, KeyError, TypeError, ZeroDivisionError) as e:
        print(i, type(e).__name__, e)
print(w.detach(), w.grad, log[-4:], len(log), total, box.n, box.f, box.items, box.t, box.last)
print(torch.rand(2), random.random())
print(table, net.calls, net.training, [p.detach() for p in net.parameters()])
";
