//! Places the nodes of a network: lines pull nodes together, and nodes push each other apart, less with each round. The
//! same network always has the same places.
//!
//! The first places are rings around the nodes with most lines, in which each node has the part of the circle that
//! its children need. The rest follows Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991).

use super::network::StatementNetwork;
use super::picture::{PicturePoint, point};

const ROUNDS: usize = 160;
/// The length that a line should have.
const IDEAL: f64 = 108.0;

/// Returns the place of each node, in pixels.
pub(super) fn places(network: &StatementNetwork) -> Vec<PicturePoint> {
    let mut places = rings(network);
    for round in 0..ROUNDS {
        let heat = IDEAL * 0.2 * (1.0 - round as f64 / ROUNDS as f64) + 0.5;
        let mut moves: Vec<PicturePoint> =
            places.iter().map(|place| point(-place.x * 0.006, -place.y * 0.012)).collect();
        for one in 0..places.len() {
            for other in one + 1..places.len() {
                let push = pushed(places[one], places[other]);
                shift(&mut moves, one, push, 1.0);
                shift(&mut moves, other, push, -1.0);
            }
        }
        for edge in &network.edges {
            let (from, to) = (places[edge.from], places[edge.to]);
            let (dx, dy) = (to.x - from.x, to.y - from.y);
            let distance = dx.hypot(dy).max(1e-6);
            let pull = (distance - IDEAL) / distance * 0.24;
            shift(&mut moves, edge.from, point(dx * pull, dy * pull), 1.0);
            shift(&mut moves, edge.to, point(dx * pull, dy * pull), -1.0);
        }
        for (index, place) in places.iter_mut().enumerate() {
            let length = moves[index].x.hypot(moves[index].y);
            if !network.nodes[index].is_centre && length > 0.0 {
                let step = length.min(heat) / length;
                place.x += moves[index].x * step;
                place.y += moves[index].y * step;
            }
        }
    }
    places
}

fn shift(moves: &mut [PicturePoint], node: usize, by: PicturePoint, factor: f64) {
    moves[node].x += by.x * factor;
    moves[node].y += by.y * factor;
}

/// How two nodes push each other apart. Names are wide but not tall, so nodes side by side need more room.
fn pushed(one: PicturePoint, other: PicturePoint) -> PicturePoint {
    let (dx, dy) = (one.x - other.x, (one.y - other.y) * 1.7);
    let square = (dx * dx + dy * dy).max(0.01);
    if square > IDEAL * IDEAL * 30.0 {
        return point(0.0, 0.0);
    }
    let force = (IDEAL * IDEAL * 0.9 / square).min(30.0);
    let distance = square.sqrt();
    point(dx / distance * force, dy / distance / 1.7 * force)
}

/// A node of a ring, with its parent's number.
struct RingNode {
    node: usize,
    depth: usize,
    below: Vec<usize>,
    /// How many leaves are below it.
    leaves: f64,
    /// Where its part of the circle begins, and how large it is.
    from: f64,
    part: f64,
}

fn rings(network: &StatementNetwork) -> Vec<PicturePoint> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); network.nodes.len()];
    for edge in &network.edges {
        near[edge.from].push(edge.to);
        near[edge.to].push(edge.from);
    }
    let mut roots: Vec<usize> = (0..network.nodes.len()).collect();
    roots.sort_by_key(|&node| (!network.nodes[node].is_centre, usize::MAX - near[node].len()));
    let mut places = vec![point(0.0, 0.0); network.nodes.len()];
    let mut is_seen = vec![false; network.nodes.len()];
    let mut left = 0.0;
    for root in roots {
        if is_seen[root] {
            continue;
        }
        let mut order = breadth_first(root, &near, &mut is_seen);
        for index in (0..order.len()).rev() {
            let leaves: f64 = order[index].below.iter().map(|&below| order[below].leaves).sum();
            order[index].leaves = leaves.max(1.0);
        }
        let wide = order.iter().map(|node| node.depth).max().unwrap_or(0) as f64 * IDEAL;
        let middle = if left == 0.0 { 0.0 } else { left + wide };
        order[0].part = std::f64::consts::TAU;
        for index in 0..order.len() {
            let RingNode { node, depth, leaves, from, part, .. } = order[index];
            let angle = from + part / 2.0;
            let away = depth as f64 * IDEAL;
            places[node] = point(middle + away * angle.cos(), away * angle.sin() * 0.8);
            let mut begin = from;
            for below in order[index].below.clone() {
                let share = part * order[below].leaves / leaves;
                (order[below].from, order[below].part) = (begin, share);
                begin += share;
            }
        }
        left = middle + wide + IDEAL * 1.5;
    }
    places
}

/// The nodes that can be reached from one, each below the one through which it is reached first.
fn breadth_first(root: usize, near: &[Vec<usize>], is_seen: &mut [bool]) -> Vec<RingNode> {
    let new = |node, depth| RingNode { node, depth, below: Vec::new(), leaves: 1.0, from: 0.0, part: 0.0 };
    is_seen[root] = true;
    let mut order = vec![new(root, 0)];
    let mut at = 0;
    while at < order.len() {
        let depth = order[at].depth + 1;
        for &node in &near[order[at].node] {
            if !std::mem::replace(&mut is_seen[node], true) {
                let number = order.len();
                order[at].below.push(number);
                order.push(new(node, depth));
            }
        }
        at += 1;
    }
    order
}
