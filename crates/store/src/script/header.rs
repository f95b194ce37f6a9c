//! Reading the header of a script.
//!
//! The sections come in a fixed order, so that every script reads alike; indented lines continue a section.

/// What a script says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Header {
    /// The words after `flags=`.
    pub flags: Vec<String>,
    /// What it does.
    pub purpose: String,
    /// What holds whatever happens.
    pub guarantee: String,
    /// Its keys, in order.
    pub keys: Vec<KeySpec>,
    /// Its arguments, in order.
    pub args: Vec<ArgSpec>,
    /// The name of the table of all further arguments, if it takes them.
    pub rest: Option<String>,
    /// The table of all further keys, if it takes them.
    pub keys_rest: Option<KeySpec>,
    /// Families whose keys it finds by a name it reads in the store; each becomes a function from that name to a key.
    pub reaches: Vec<KeySpec>,
    /// What it answers.
    pub returns: String,
    /// How many write commands it may send at most, the fragments' included.
    pub writes: usize,
    /// The fragments it uses.
    pub uses: Vec<String>,
    /// Fragments that come in only at a line `-- later` of the body, a group for each, so that a short way out never pays
    /// for them.
    pub later: Vec<Vec<String>>,
    /// In which layouts it works.
    pub layout: Layout,
    /// How many lines the header has.
    pub lines: usize,
}

/// One key: the local it becomes and the family it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpec {
    /// The local's name.
    pub name: String,
    /// `system.family` of the catalog.
    pub family: String,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgSpec {
    /// The local's name.
    pub name: String,
    /// How it is read.
    pub kind: ArgKind,
    /// What it means.
    pub meaning: String,
}

/// How an argument is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgKind {
    /// Bytes, as they are.
    Text,
    /// JSON text, which Lua passes on and never looks into.
    Json,
    /// A whole number that Lua holds exactly.
    Integer,
    /// A finite number.
    Number,
    /// The id of the call; a repeated call with the same one gets the first answer. Empty for none.
    Request,
    /// `1` where an earlier delivery of the call may have been carried out, else empty; the store fills it in. Only then
    /// does a script need to look whether it was.
    Again,
}

/// In which layouts a script works (DESIGN D8).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Layout {
    /// In both: its keys share a slot.
    #[default]
    Any,
    /// Only in the plain one; the script named here does the work in the tagged one.
    PlainOnly {
        /// The other script.
        counterpart: String,
    },
}

const ORDER: [&str; 12] = [
    "purpose",
    "guarantee",
    "keys",
    "keys-rest",
    "reaches",
    "args",
    "rest",
    "returns",
    "writes",
    "use",
    "later",
    "layout",
];
const REQUIRED: [&str; 7] = ["purpose", "guarantee", "keys", "args", "returns", "writes", "layout"];
const FLAGS: [&str; 2] = ["allow-oom", "no-writes"];
const KEYWORDS: [&str; 26] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while", "redis", "string", "math", "table",
    "unpack",
];

type Read<T> = Result<T, (usize, String)>;

impl Header {
    pub(super) fn parse(source: &str) -> Read<Self> {
        let mut header = Self::default();
        let mut lines = source.lines().enumerate().map(|(index, line)| (index + 1, line));
        header.shebang(lines.next().map_or("", |(_, line)| line)).map_err(|what| (1, what))?;
        let mut seen: Vec<&str> = Vec::new();
        header.lines = 1;
        for (number, line) in lines.take_while(|(_, line)| line.starts_with("--")) {
            header.lines = number;
            header.line(line, &mut seen).map_err(|what| (number, what))?;
        }
        header.complete(&seen).map_err(|what| (header.lines, what))?;
        Ok(header)
    }

    fn shebang(&mut self, line: &str) -> Result<(), String> {
        let flags = line.strip_prefix("#!lua").ok_or("the first line is not `#!lua`")?.trim();
        if flags.is_empty() {
            return Ok(());
        }
        let flags = flags.strip_prefix("flags=").ok_or("after `#!lua` only flags=… may follow")?;
        self.flags = flags.split(',').map(str::to_owned).collect();
        let known = |flag: &String| FLAGS.contains(&flag.as_str());
        if self.flags.iter().all(known) { Ok(()) } else { Err(format!("the flags may be {FLAGS:?}")) }
    }

    fn line<'a>(&mut self, line: &'a str, seen: &mut Vec<&'a str>) -> Result<(), String> {
        if let Some(entry) = line.strip_prefix("--   ") {
            return self.entry(seen.last().copied().ok_or("an entry before any section")?, entry.trim());
        }
        let section = line.strip_prefix("-- ").and_then(|line| line.split_once(':'));
        let (name, value) = section.ok_or("a header line is `-- section: …` or `--   entry`")?;
        let place =
            ORDER.iter().position(|known| *known == name).ok_or(format!("there is no section `{name}`"))?;
        let after = seen.last().and_then(|last| ORDER.iter().position(|known| known == last));
        if after.is_some_and(|after| after >= place) {
            return Err(format!("`{name}` comes too late; the order is {ORDER:?}"));
        }
        seen.push(name);
        self.section(name, value.trim())
    }

    fn section(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "keys-rest" => self.keys_rest = Some(key(value)?),
            "rest" => self.rest = Some(local(value.split_whitespace().next().unwrap_or_default())?),
            "writes" => self.writes = value.parse().map_err(|_| "`writes` is not a number")?,
            "use" => self.uses = list(value),
            "later" => self.later = value.split('|').map(list).collect(),
            "layout" => self.layout = layout(value)?,
            "keys" | "args" | "reaches" if !matches!(value, "" | "none") => {
                return Err(format!("entries of `{name}` go below it"));
            }
            "keys" | "args" | "reaches" => {}
            _ => self.text(name).push_str(value),
        }
        Ok(())
    }

    fn entry(&mut self, section: &str, entry: &str) -> Result<(), String> {
        match section {
            "keys" => self.keys.push(key(entry)?),
            "reaches" => self.reaches.push(key(entry)?),
            "args" => self.args.push(arg(entry)?),
            "purpose" | "guarantee" | "returns" => {
                self.text(section).push(' ');
                self.text(section).push_str(entry);
            }
            _ => return Err(format!("`{section}` has no further lines")),
        }
        Ok(())
    }

    fn text(&mut self, section: &str) -> &mut String {
        match section {
            "purpose" => &mut self.purpose,
            "guarantee" => &mut self.guarantee,
            _ => &mut self.returns,
        }
    }

    fn complete(&self, seen: &[&str]) -> Result<(), String> {
        if let Some(missing) = REQUIRED.iter().find(|name| !seen.contains(name)) {
            return Err(format!("the section `{missing}` is missing"));
        }
        if self.purpose.is_empty() || self.guarantee.is_empty() || self.returns.is_empty() {
            return Err("purpose, guarantee and returns must say something".to_owned());
        }
        if !self.reaches.is_empty() && self.layout == Layout::Any {
            return Err("only a plain-only script can reach keys that are not passed to it".to_owned());
        }
        let mut names: Vec<_> = self.names().collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("`{}` is declared twice", pair[0])),
            None => Ok(()),
        }
    }

    /// Every local the header declares.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().chain(&self.keys_rest).chain(&self.reaches).map(|key| key.name.as_str());
        keys.chain(self.args.iter().map(|arg| arg.name.as_str())).chain(self.rest.as_deref())
    }
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(|name| name.trim().to_owned()).collect()
}

fn key(entry: &str) -> Result<KeySpec, String> {
    let mut words = entry.split_whitespace();
    let name = local(words.next().unwrap_or_default())?;
    let family = words
        .next()
        .filter(|family| family.contains('.'))
        .ok_or(format!("the key `{name}` lacks its system.family"))?;
    Ok(KeySpec { name, family: family.to_owned() })
}

fn arg(entry: &str) -> Result<ArgSpec, String> {
    let mut words = entry.split_whitespace();
    let name = local(words.next().unwrap_or_default())?;
    let kind = match words.next().unwrap_or_default() {
        "text" => ArgKind::Text,
        "json" => ArgKind::Json,
        "integer" => ArgKind::Integer,
        "number" => ArgKind::Number,
        "request" => ArgKind::Request,
        "again" => ArgKind::Again,
        _ => {
            return Err(format!(
                "the argument `{name}` is none of text, json, integer, number, request, again"
            ));
        }
    };
    Ok(ArgSpec { name, kind, meaning: words.collect::<Vec<_>>().join(" ") })
}

fn layout(value: &str) -> Result<Layout, String> {
    let counterpart = value.strip_prefix("plain-only, tagged counterpart ").map(str::trim);
    match (value, counterpart) {
        ("any", _) => Ok(Layout::Any),
        (_, Some(name)) if !name.is_empty() => Ok(Layout::PlainOnly { counterpart: name.to_owned() }),
        _ => Err("the layout is `any` or `plain-only, tagged counterpart NAME`".to_owned()),
    }
}

fn local(name: &str) -> Result<String, String> {
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if starts && plain && !KEYWORDS.contains(&name) {
        Ok(name.to_owned())
    } else {
        Err(format!("`{name}` cannot be a local's name"))
    }
}
